import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  proposal_not_found: 'There is no proposal {proposal}.',
  proposal_decided: 'Proposal {proposal} is already {status}.',
  not_proposable: '{tool} cannot be proposed: only writing tools can, and decisions on proposals cannot.',
  own_proposal: 'A proposal cannot be approved in the session that proposed it.',
  proposer_gone: 'The account that proposed this is no longer active.',
}

/** A code of approvals. */
export type ApprovalCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<ApprovalCode, 'approvals'> {}
}

const kinds: Readonly<Partial<Record<ApprovalCode, Kind>>> = {
  proposal_not_found: 'not_found',
  proposal_decided: 'conflict',
  not_proposable: 'invalid',
  own_proposal: 'forbidden',
  proposer_gone: 'conflict',
}

type Texts = Readonly<Record<ApprovalCode, string>>

const fr: Texts = {
  proposal_not_found: 'La proposition {proposal} n’existe pas.',
  proposal_decided: 'La proposition {proposal} est déjà {status}.',
  not_proposable: '{tool} ne peut pas être proposé : seuls les outils d’écriture le peuvent, hors approbations.',
  own_proposal: 'Qui a proposé cela ne peut pas l’approuver dans la même session.',
  proposer_gone: 'Le compte à l’origine de cette proposition ne peut plus agir.',
}

const de: Texts = {
  proposal_not_found: 'Es gibt keinen Vorschlag {proposal}.',
  proposal_decided: 'Der Vorschlag {proposal} ist bereits {status}.',
  not_proposable: '{tool} kann nicht vorgeschlagen werden: nur schreibende Werkzeuge, und keine Genehmigungen.',
  own_proposal: 'Wer dies vorgeschlagen hat, kann es nicht in derselben Sitzung genehmigen.',
  proposer_gone: 'Das Konto, das dies vorgeschlagen hat, kann nicht mehr handeln.',
}

const es: Texts = {
  proposal_not_found: 'No existe la propuesta {proposal}.',
  proposal_decided: 'La propuesta {proposal} ya está {status}.',
  not_proposable: '{tool} no se puede proponer: solo herramientas que escriben, y ninguna aprobación.',
  own_proposal: 'Quien lo propuso no puede aprobarlo en la misma sesión.',
  proposer_gone: 'La cuenta que propuso esto ya no puede actuar.',
}

const zhHans: Texts = {
  proposal_not_found: '没有提案 {proposal}。',
  proposal_decided: '提案 {proposal} 已经是 {status}。',
  not_proposable: '{tool} 无法作为提案：只能提议写入类工具，且不包括审批。',
  own_proposal: '提案人不能在同一会话中批准该提案。',
  proposer_gone: '提出该提案的账户已无法执行操作。',
}

const zhHant: Texts = {
  proposal_not_found: '沒有提案 {proposal}。',
  proposal_decided: '提案 {proposal} 已經是 {status}。',
  not_proposable: '{tool} 無法作為提案：只能提議寫入類工具，且不包括審批。',
  own_proposal: '提案人不能在同一工作階段中批准該提案。',
  proposer_gone: '提出該提案的帳戶已無法執行操作。',
}

/** Approvals. */
export const approvalMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
