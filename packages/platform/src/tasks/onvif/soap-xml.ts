// Parses XML of cameras into a tree of elements without namespace prefixes. The input is untrusted: its size is limited, and document types
// are refused.
import { SaxesParser } from 'saxes';

/** Maximum number of elements and attributes. A camera with 64 profiles sends about 9,000. */
const maxParts = 20_000;
/** Maximum nesting depth. ONVIF responses have about ten levels. */
const maxDepth = 64;

export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Trimmed text of the element, without its children. */
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: XmlElement[];
  text: string;
}

/**
 * The root element. Undefined if the text is not well-formed, is too large, or has a document type. SOAP forbids document types (SOAP 1.2
 * §5).
 */
export function parseXml(text: string): XmlElement | undefined {
  const root: OpenElement = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [root];
  let parts = 0;
  const count = (): void => {
    if (++parts > maxParts) throw new Error('the XML has too many elements');
  };
  const parser = new SaxesParser({});
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('the XML has a document type declaration');
  });
  parser.on('attribute', count);
  parser.on('opentag', ({ name, attributes }) => {
    count();
    if (open.length > maxDepth) throw new Error('the XML is nested too deep');
    const named = Object.entries(attributes).map(([key, value]): [string, string] => [withoutPrefix(key), value]);
    open.push({ name: withoutPrefix(name), attributes: new Map(named), children: [], text: '' });
  });
  parser.on('text', (part) => {
    open.at(-1)!.text += part;
  });
  parser.on('cdata', (part) => {
    open.at(-1)!.text += part;
  });
  parser.on('closetag', () => {
    const closed = open.pop()!;
    open.at(-1)!.children.push({ ...closed, text: closed.text.trim() });
  });
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  return root.children[0];
}

/** The first element at a path below `element`. */
export function childAt(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce((at, name) => at?.children.find((child) => child.name === name), element);
}

/** Text of the first element at a path; '' without such an element. */
export function textAt(element: XmlElement | undefined, ...path: readonly string[]): string {
  return childAt(element, ...path)?.text ?? '';
}

export function childrenNamed(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** Escapes text for an element or attribute. Removes characters that XML forbids. */
export function escapeXml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
  // XML 1.0 §2.2 allows no control characters except tabs and line breaks. Spreading keeps surrogate pairs intact.
  const allowed = [...text].filter((each) => each >= ' ' || /[\t\n\r]/.test(each)).join('');
  return allowed.replace(/[&<>"']/g, (each) => entities[each]!);
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
