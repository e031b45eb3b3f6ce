import ts from '@typescript/typescript6'
import { type FileRule, findings } from './source.ts'

const home = 'engine/kernel/money.ts'

/** Money is parsed, rounded and printed by one module alone: elsewhere there are no hundredths, and no forms of amounts and currencies. */
export const oneMoney: FileRule = (source) =>
  findings(source, 'money', (node) => {
    if (source.isTest || source.path === home || !/^(engine|adapters)\//.test(source.path)) return undefined
    return isFormOfMoney(node) ? `${node.getText(source.ast)} is for ${home}.` : undefined
  })

function isFormOfMoney(node: ts.Node): boolean {
  if (ts.isRegularExpressionLiteral(node)) return /\[A-Z\]\{3\}/.test(node.text)
  if (ts.isStringLiteral(node))
    return ['not_currency', 'not_an_amount'].includes(node.text) && !ts.isArrayLiteralExpression(node.parent)
  return ts.isIdentifier(node) && /^(cents|hundredths)|(InCents|Hundredths)$/.test(node.text)
}
