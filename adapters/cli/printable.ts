import { excerptOf } from '../../engine/index.ts'

/** Escapes text of the sender for one line of a terminal. */
export function printable(text: string): string {
  return excerptOf(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')
}
