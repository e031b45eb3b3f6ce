import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  proof_file_not_found: 'There is no proof file {file}.',
  proof_version_not_found: 'Proof file {file} has no version {version}.',
  too_many_proof_files: 'At most {limit} are allowed.',
}

/** A code of proof files. */
export type ProofCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<ProofCode, 'proof'> {}
}

const kinds: Readonly<Partial<Record<ProofCode, Kind>>> = {
  proof_file_not_found: 'not_found',
  proof_version_not_found: 'not_found',
  too_many_proof_files: 'conflict',
}

type Texts = Readonly<Record<ProofCode, string>>

const fr: Texts = {
  proof_file_not_found: 'Il n’y a pas de preuve {file}.',
  proof_version_not_found: 'La preuve {file} n’a pas de version {version}.',
  too_many_proof_files: 'Il peut y en avoir {limit} au plus.',
}

const de: Texts = {
  proof_file_not_found: 'Es gibt keinen Nachweis {file}.',
  proof_version_not_found: 'Der Nachweis {file} hat keine Version {version}.',
  too_many_proof_files: 'Es kann höchstens {limit} geben.',
}

const es: Texts = {
  proof_file_not_found: 'No existe el comprobante {file}.',
  proof_version_not_found: 'El comprobante {file} no tiene la versión {version}.',
  too_many_proof_files: 'Puede haber {limit} como máximo.',
}

const zhHans: Texts = {
  proof_file_not_found: '没有凭证文件 {file}。',
  proof_version_not_found: '凭证文件 {file} 没有版本 {version}。',
  too_many_proof_files: '最多只能有 {limit} 个。',
}

const zhHant: Texts = {
  proof_file_not_found: '沒有憑證檔案 {file}。',
  proof_version_not_found: '憑證檔案 {file} 沒有版本 {version}。',
  too_many_proof_files: '最多只能有 {limit} 個。',
}

/** Proof files. */
export const proofMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
