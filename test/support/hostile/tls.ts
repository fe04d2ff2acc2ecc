import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

const folder = new URL('../certificates/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');

/** The CA of the certificates, for `tls.setDefaultCACertificates`. */
export const testAuthority = read('ca.pem');

const withTls = (certificate: string, options: TlsOptions = {}) =>
  createTlsServer({ key: read('leaf.key'), cert: read(`${certificate}.pem`), ...options }, (socket) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  });

/** A TLS 1.2 ServerHello that picks ECDHE_RSA_WITH_AES_128_GCM_SHA256 and has no extension, not even RFC 5746's. */
const oldServerHello = Buffer.from(
  `160303002a 02000026 0303 ${'5a'.repeat(32)} 00 c02f 00`.replaceAll(' ', ''),
  'hex',
);

/** HTTPS servers by their fault. */
export const tlsServers = {
  good: () => withTls('good'),
  expired: () => withTls('expired'),
  'not-yet-valid': () => withTls('not-yet-valid'),
  'wrong-name': () => withTls('wrong-name'),
  'self-signed': () => withTls('self-signed'),
  'tls-1.0': () => oldProtocol('TLSv1'),
  'tls-1.1': () => oldProtocol('TLSv1.1'),
  'client-certificate': () =>
    withTls('good', { requestCert: true, rejectUnauthorized: true, ca: testAuthority }),
  'plain-http': () => bytes((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')),
  garbage: () => bytes((socket) => socket.end('\x16\x03\x03\xff\xff this is not a handshake')),
  alert: () => bytes((socket) => socket.end(Buffer.from('15030300020228', 'hex'))),
  'no-secure-renegotiation': () => bytes((socket) => socket.end(oldServerHello)),
  'close-in-handshake': () => bytes((socket) => socket.end()),
  'reset-in-handshake': () => bytes((socket) => socket.resetAndDestroy()),
  'silent-in-handshake': () => bytes(() => {}),
} satisfies Record<string, () => Server>;

function oldProtocol(version: 'TLSv1' | 'TLSv1.1'): Server {
  return withTls('good', { minVersion: 'TLSv1', maxVersion: version, ciphers: 'DEFAULT:@SECLEVEL=0' });
}

/** Waits for the client's first message, then misbehaves. */
function bytes(behave: (socket: Socket) => void): Server {
  return createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => behave(socket));
  });
}
