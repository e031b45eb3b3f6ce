import type { Judged } from '../suites/projection/documents.ts'
import type { Official } from './official.ts'

export type { Judged }

/** Says what is wrong with a document, a sentence each. */
export type FaultsIn<Document = Judged> = (document: Document) => Promise<readonly string[]> | readonly string[]

/** A validator from outside this project that checks documents against their standard. */
export interface Judge<Document = Judged> {
  /** As the table shows it: `JSON Schema (GS1)`. */
  readonly name: string
  /** The format of the documents. */
  readonly format: string
  /** Whether it checks documents with this media type, form and options. */
  takes(document: Judged): boolean
  /** What it finds, or why it cannot run here. */
  readonly open: Official<FaultsIn<Document>>
}

/** A judge that needs no official files, and so is always here. */
export interface ReadyJudge extends Judge {
  readonly judge: FaultsIn
}

/** A judge that needs no official files. */
export function readyJudge(judge: Omit<ReadyJudge, 'open'>): ReadyJudge {
  return { ...judge, open: () => ({ here: judge.judge }) }
}
