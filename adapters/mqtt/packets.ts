import type { Socket } from 'node:net'
import { Duplex, Transform } from 'node:stream'

/** The most bytes of a packet behind its length. */
const longest = 64 * 1024

/** The most bytes of a length (MQTT 3.1.1, section 2.2.3). */
const lengthBytes = 4

/** A connection that ends with the first packet that is too long, before it is in memory. */
export function withShortPackets(socket: Socket): Duplex {
  const checked = socket.pipe(createCheck())
  checked.on('error', () => socket.destroy())
  socket.on('error', () => checked.destroy())
  socket.on('close', () => checked.destroy())
  return Duplex.from({ readable: checked, writable: socket })
}

/** Passes bytes on, and looks at the length of each packet. */
export function createCheck(): Transform {
  /** Bytes of the body that are still to come. */
  let left = 0
  /** Bytes that were read of the length; undefined before the first byte of a packet. */
  let read: number | undefined
  let length = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      for (let at = 0; at < chunk.length; ) {
        if (left > 0) {
          const skipped = Math.min(left, chunk.length - at)
          left -= skipped
          at += skipped
          continue
        }
        const byte = chunk[at++] as number
        if (read === undefined) {
          read = 0
          length = 0
          continue
        }
        length += (byte & 127) * 128 ** read++
        if (length > longest || read > lengthBytes) return done(new Error('A packet is too long.'))
        if (byte < 128) {
          left = length
          read = undefined
        }
      }
      done(null, chunk)
    },
  })
}
