/** `OTEP_SERVER_OPERATORS`: `1`, or `1,17`. */
export function operatorsFrom({
  OTEP_SERVER_OPERATORS: text,
}: Readonly<Record<string, string | undefined>>): readonly number[] {
  if (!text) return []
  const ids = text.split(',').map((id) => id.trim())
  const wrong = ids.find((id) => !/^[1-9]\d{0,14}$/.test(id))
  if (wrong !== undefined) throw new Error(`OTEP_SERVER_OPERATORS must be ids of accounts such as 1,17, not ${text}`)
  return ids.map(Number)
}
