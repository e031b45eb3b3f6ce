/** Tools and other interfaces, in English. */
const en = {
  confirm_required: '{tool} is high risk and needs confirm=true, or a proposal for approval.',
} as const

type Words = Readonly<Record<keyof typeof en, string>>

const fr: Words = {
  confirm_required: '{tool} présente un risque élevé et exige confirm=true, ou une proposition à approuver.',
}

const de: Words = {
  confirm_required: '{tool} birgt ein hohes Risiko und braucht confirm=true oder einen Vorschlag zur Genehmigung.',
}

const es: Words = {
  confirm_required: '{tool} es de alto riesgo y necesita confirm=true o una propuesta para su aprobación.',
}

const zhHans: Words = {
  confirm_required: '{tool} 属于高风险操作，需要 confirm=true 或提交审批提案。',
}

const zhHant: Words = {
  confirm_required: '{tool} 屬於高風險操作，需要 confirm=true 或提交審批提案。',
}

/** Tools and other interfaces: the messages in every language. */
export const tools = { en, fr, de, es, zhHans, zhHant }
