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
  /** The rows of numbers, in their order. */
  find(numbers: readonly string[]): readonly (AnswerRow | undefined)[]
  /** Makes and keeps a row later, or never. */
  keep(number: string, bytes: number, make: () => Promise<AnswerRow | undefined>): void
}

/** A sealed answer opens only with everything that it was kept with. */
export function labelOf(number: string, { maker, tag, ends }: Pick<AnswerRow, 'maker' | 'tag' | 'ends'>): string {
  return `answer ${number} ${maker} ${tag} ${ends}`
}

/** A row with its number. */
export interface NumberedRow {
  readonly number: string
  readonly row: AnswerRow
}

/** The bytes of answers, in their order; undefined where they cannot be opened now. */
export function openedAnswers(
  vault: AnswerVault,
  answers: readonly NumberedRow[],
): readonly (Uint8Array | undefined)[] {
  const sealed = answers.filter(({ row }) => row.isSealed)
  const opened = vault.openNow(
    sealed.map(({ number, row }) => ({ subject: row.stream, label: labelOf(number, row), bytes: row.body })),
  )
  let next = 0
  return answers.map(({ row }) => (row.isSealed ? opened[next++] : row.body))
}

/** With what answers are kept. */
export interface KeepingParts {
  readonly rows: AnswerRows
  readonly vault: AnswerVault
  readonly growth: Growth
}

/** Bytes as they may be kept. */
interface SealedBytes {
  readonly isSealed: boolean
  readonly body: Uint8Array
}

/** Seals answers with the keys of their streams. */
export interface AnswerVault {
  /** Seals with the key of a subject; leaves bytes as they are if it never had one. Undefined after it was forgotten. */
  seal(subject: string, label: string, bytes: Uint8Array): Promise<SealedBytes | undefined>
  /** Opens without waiting, in order; undefined where there is no key, or none at hand. */
  openNow(sealed: readonly SealedFor[]): readonly (Uint8Array | undefined)[]
}

/** Bytes that were sealed with the key of a subject. */
export interface SealedFor {
  readonly subject: string
  readonly label: string
  readonly bytes: Uint8Array
}
