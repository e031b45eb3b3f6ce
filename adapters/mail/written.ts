import { oneLine } from '../../engine/index.ts'

/** Characters of a subject, and of a line, which may be a link. */
const longest = { subject: 200, line: 2_000 }

/** The lines of a message as its text: nothing that somebody else wrote into one begins another. */
export function textOf(lines: readonly string[]): string {
  return lines.map((line) => oneLine(line, longest.line)).join('\n')
}

/** The subject and the text of an e-mail as they are sent. */
export function written({ subject, text }: { readonly subject: string; readonly text: readonly string[] }) {
  return { subject: oneLine(subject, longest.subject), text: textOf(text) }
}
