import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Judged } from '../suites/projection/documents.ts'

export type { Judged }

/** A validator from outside this project that checks documents against their standard. */
export interface Judge {
  /** As the table shows it: `JSON Schema (GS1)`. */
  readonly name: string
  /** The format of the documents. */
  readonly format: string
  /** Why it cannot run here; undefined if it can. */
  missing(): string | undefined
  /** Whether it checks documents with this media type, form and options. */
  takes(document: Judged): boolean
  /** What is wrong with a document, a sentence each. */
  judge(document: Judged): Promise<readonly string[]> | readonly string[]
}

/** The folder of the official schemas, by their path in it: `OTEP_STANDARDS_DIR`, or `../shared/standards`. */
export function standardsFile(path: string): string {
  return join(process.env.OTEP_STANDARDS_DIR ?? join('..', 'shared', 'standards'), path)
}

/** Why a judge that needs these official files cannot run; undefined if they are there. */
export function missingFiles(...paths: readonly string[]): string | undefined {
  const absent = paths.filter((path) => !existsSync(standardsFile(path)))
  return absent.length === 0 ? undefined : `no official schemas here: ${absent.join(', ')} (OTEP_STANDARDS_DIR)`
}
