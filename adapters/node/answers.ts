import type { Growth } from '../../engine/index.ts'

/** An answer to the public as a node keeps it: nothing personal is in plain text. */
export interface AnswerRow {
  /** The stream of its timeline. */
  readonly stream: string
  /** Names everything but events that the answer depends on: program, settings, format. */
  readonly maker: string
  readonly tag: string
  /** The revisions of the streams that decide it. */
  readonly ends: string
  readonly isSealed: boolean
  readonly body: Uint8Array
}

/** Keeps one answer for each number. None of the calls throws: whatever fails, there is no row. */
export interface AnswerRows {
  find(number: string): AnswerRow | undefined
  /** Makes and keeps a row later, or never. */
  keep(number: string, bytes: number, make: () => Promise<AnswerRow | undefined>): void
}

/** A sealed answer opens only with everything that it was kept with. */
export function labelOf(number: string, { maker, tag, ends }: Pick<AnswerRow, 'maker' | 'tag' | 'ends'>): string {
  return `answer ${number} ${maker} ${tag} ${ends}`
}

/** The bytes of an answer; undefined if they cannot be opened now. */
export function openedAnswer(vault: AnswerVault, number: string, row: AnswerRow): Uint8Array | undefined {
  return row.isSealed ? vault.openNow(row.stream, labelOf(number, row), row.body) : row.body
}

/** With what answers are kept. */
export interface KeepingParts {
  readonly rows: AnswerRows
  readonly vault: AnswerVault
  readonly growth: Growth
}

/** Bytes as they may be kept. */
export interface SealedBytes {
  readonly isSealed: boolean
  readonly body: Uint8Array
}

/** Seals answers with the keys of their streams. */
export interface AnswerVault {
  /** Seals with the key of a subject; leaves bytes as they are if it never had one. Undefined after it was forgotten. */
  seal(subject: string, label: string, bytes: Uint8Array): Promise<SealedBytes | undefined>
  /** Opens without waiting; undefined if there is no key, or none at hand. */
  openNow(subject: string, label: string, bytes: Uint8Array): Uint8Array | undefined
}
