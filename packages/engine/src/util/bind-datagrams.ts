import { createSocket, type Socket, type SocketOptions } from 'node:dgram';
import { once } from 'node:events';

/** Opens a UDP socket. Port 0 means any free port. Without a host, binds all addresses of the family. Rejects with the system error. */
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
