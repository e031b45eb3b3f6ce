import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Proof files. */
export const proofMessages = {
  not_found: {
    proof_file_not_found: 'There is no proof file {file}.',
    proof_version_not_found: 'Proof file {file} has no version {version}.',
    file_not_found: 'There is no such file, or the link has expired.',
  },
  conflict: {
    too_many_proof_files: 'At most {limit} are allowed.',
  },
  unsupported: {
    proof_file_type: 'The file is neither JPEG, PNG, WebP nor PDF.',
  },
  unavailable: {
    files_unavailable: 'Uploaded files are currently unavailable ({reason}). Send the same request again later.',
  },
} as const satisfies Catalogue

/** A code of proof files. */
export type ProofCode = CodeOf<typeof proofMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<ProofCode, 'proof'> {}
}
