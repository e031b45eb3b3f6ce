/** Approvals, in English. */
const en = {
  proposal_not_found: 'There is no proposal {proposal}.',
} as const

type Words = Readonly<Record<keyof typeof en, string>>

const fr: Words = {
  proposal_not_found: 'La proposition {proposal} n’existe pas.',
}

const de: Words = {
  proposal_not_found: 'Es gibt keinen Vorschlag {proposal}.',
}

const es: Words = {
  proposal_not_found: 'No existe la propuesta {proposal}.',
}

const zhHans: Words = {
  proposal_not_found: '没有提案 {proposal}。',
}

const zhHant: Words = {
  proposal_not_found: '沒有提案 {proposal}。',
}

/** Approvals: the messages in every language. */
export const approvals = { en, fr, de, es, zhHans, zhHant }
