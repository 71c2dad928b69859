// The little of the contract the data plane uses, imported file by file: the package's index would load the schema
// library too, some 20 MB and 70 ms that this process never needs.
export { type ErrorName, errorCatalogue } from '../../contract/src/errors.ts';
export {
  type FileHandover,
  fileHandoverHeader,
  fileOfferHeader,
  parseFileHandover,
} from '../../contract/src/file-handover.ts';
export { forbiddenNetworks, unmappedAddress } from '../../contract/src/forbidden-networks.ts';
export { maxJsonBodyBytes } from '../../contract/src/limits.ts';
export { isValidAppName, isValidStreamName } from '../../contract/src/stream-name.ts';
