import { createReadStream, statSync } from 'node:fs'
import { decoded, linesIn } from '../http/text.ts'
import type { Invocation } from './command.ts'
import { usageError } from './command.ts'

/** An input stream, and its length if known. */
export interface Source {
  readonly bytes: number | undefined
  readonly stream: NodeJS.ReadableStream
}

/** Opens the file of the first argument; `-` is the standard input. */
export function openInput({ positionals, stdin }: Invocation): Source {
  const [file, second] = positionals
  if (file === undefined || second !== undefined) throw usageError('Name one file, or - for the standard input.')
  if (file === '-') return { bytes: undefined, stream: stdin }
  const found = statSync(file)
  if (found.isDirectory()) throw Object.assign(new Error(file), { code: 'EISDIR', path: file })
  const { size } = found
  return { bytes: size, stream: createReadStream(file) }
}

/** A line with its number from 1 and the bytes up to its end. */
export interface Line {
  readonly text: string
  readonly number: number
  readonly bytes: number
}

/** The lines of a UTF-8 text that are not blank. */
export async function* linesOf({ stream }: Source): AsyncGenerator<Line> {
  let number = 0
  let bytes = 0
  for await (const text of linesIn(decoded(bytesOf(stream)))) {
    number++
    bytes += Buffer.byteLength(text) + 1
    if (text.trim() !== '') yield { text, number, bytes }
  }
}

/** The whole text of a source. */
export async function textOf({ stream }: Source): Promise<string> {
  const texts: string[] = []
  for await (const text of decoded(bytesOf(stream))) texts.push(text)
  return texts.join('')
}

async function* bytesOf(stream: NodeJS.ReadableStream): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}
