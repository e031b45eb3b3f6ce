import { excerptOf } from '../../engine/index.ts'

/** Escapes text of the sender for one line of a terminal. */
export function printable(text: string): string {
  return harmless(excerptOf(text))
}

/** Text of somebody else, whole: nothing in it controls a terminal. */
export function harmless(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')
}
