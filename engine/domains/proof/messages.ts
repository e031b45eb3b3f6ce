import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  proof_file_not_found: 'There is no proof file {file}.',
  proof_version_not_found: 'Proof file {file} has no version {version}.',
  too_many_proof_files: 'At most {limit} are allowed.',
  proof_file_type: 'The file is neither JPEG, PNG, WebP nor PDF.',
  file_not_found: 'There is no such file, or the link has expired.',
  files_unavailable: 'Uploaded files are currently unavailable ({reason}). Send the same request again later.',
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
  proof_file_type: 'unsupported',
  file_not_found: 'not_found',
  files_unavailable: 'unavailable',
}

type Texts = Readonly<Record<ProofCode, string>>

const fr: Texts = {
  proof_file_not_found: 'Il n’y a pas de preuve {file}.',
  proof_version_not_found: 'La preuve {file} n’a pas de version {version}.',
  too_many_proof_files: 'Il peut y en avoir {limit} au plus.',
  proof_file_type: 'Le fichier n’est ni un JPEG, ni un PNG, ni un WebP, ni un PDF.',
  file_not_found: 'Il n’y a pas de tel fichier, ou le lien a expiré.',
  files_unavailable:
    'Les fichiers envoyés sont indisponibles pour le moment ({reason}). Renvoyez la même requête plus tard.',
}

const de: Texts = {
  proof_file_not_found: 'Es gibt keinen Nachweis {file}.',
  proof_version_not_found: 'Der Nachweis {file} hat keine Version {version}.',
  too_many_proof_files: 'Es kann höchstens {limit} geben.',
  proof_file_type: 'Die Datei ist weder JPEG noch PNG, WebP oder PDF.',
  file_not_found: 'Es gibt keine solche Datei, oder der Link ist abgelaufen.',
  files_unavailable:
    'Hochgeladene Dateien sind derzeit nicht verfügbar ({reason}). Senden Sie dieselbe Anfrage später erneut.',
}

const es: Texts = {
  proof_file_not_found: 'No existe el comprobante {file}.',
  proof_version_not_found: 'El comprobante {file} no tiene la versión {version}.',
  too_many_proof_files: 'Puede haber {limit} como máximo.',
  proof_file_type: 'El archivo no es JPEG, PNG, WebP ni PDF.',
  file_not_found: 'No existe ese archivo, o el enlace ha caducado.',
  files_unavailable:
    'Los archivos subidos no están disponibles en este momento ({reason}). Envíe de nuevo la misma solicitud más tarde.',
}

const zhHans: Texts = {
  proof_file_not_found: '没有凭证文件 {file}。',
  proof_version_not_found: '凭证文件 {file} 没有版本 {version}。',
  too_many_proof_files: '最多只能有 {limit} 个。',
  proof_file_type: '该文件不是 JPEG、PNG、WebP 或 PDF。',
  file_not_found: '没有该文件，或链接已过期。',
  files_unavailable: '上传的文件暂时不可用（{reason}）。请稍后重新发送同一请求。',
}

const zhHant: Texts = {
  proof_file_not_found: '沒有憑證檔案 {file}。',
  proof_version_not_found: '憑證檔案 {file} 沒有版本 {version}。',
  too_many_proof_files: '最多只能有 {limit} 個。',
  proof_file_type: '該檔案不是 JPEG、PNG、WebP 或 PDF。',
  file_not_found: '沒有該檔案，或連結已過期。',
  files_unavailable: '上傳的檔案暫時無法使用（{reason}）。請稍後重新傳送同一請求。',
}

/** Proof files. */
export const proofMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
