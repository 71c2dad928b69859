// Opens a UDP socket.
import { createSocket, type Socket, type SocketOptions } from 'node:dgram';
import { once } from 'node:events';

/** Binds the port, 0 for any, on the host's address or on all addresses of the family. Rejects with the system error. */
export async function bindDatagrams(options: SocketOptions, port: number, host?: string): Promise<Socket> {
  const socket = createSocket(options);
  try {
    socket.bind(port, host);
    await once(socket, 'listening');
    return socket;
  } catch (error) {
    socket.close();
    throw error;
  }
}
