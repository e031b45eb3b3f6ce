import ts from '@typescript/typescript6'

/** A piece of a text, by its offsets, and what is put in its place. */
export interface Replacement {
  readonly operator: string
  readonly start: number
  readonly end: number
  readonly text: string
}

/** What each operator is replaced by. */
const operators: Readonly<Record<string, readonly string[]>> = {
  ...{ '<': ['<=', '>='], '<=': ['<', '>'], '>': ['>=', '<='], '>=': ['>', '<'] },
  ...{ '===': ['!=='], '!==': ['==='], '&&': ['||'], '||': ['&&'] },
  ...{ '+': ['-'], '-': ['+'], '*': ['/'], '/': ['*'], '%': ['*'] },
  ...{ '+=': ['-='], '-=': ['+='], '++': ['--'], '--': ['++'], '??=': ['='], '||=': ['='], '&&=': ['='] },
}

/** What each method is replaced by; an empty text means that the call is left out. */
const methods: Readonly<Record<string, string>> = {
  ...{ every: 'some', some: 'every', find: 'findLast', findLast: 'find', findIndex: 'findLastIndex' },
  ...{ findLastIndex: 'findIndex', indexOf: 'lastIndexOf', lastIndexOf: 'indexOf', push: 'unshift', unshift: 'push' },
  ...{ min: 'max', max: 'min', floor: 'ceil', ceil: 'floor', startsWith: 'endsWith', endsWith: 'startsWith' },
  ...{ toUpperCase: 'toLowerCase', toLowerCase: 'toUpperCase' },
  ...{ filter: '', sort: '', toSorted: '', reverse: '', toReversed: '', slice: '', trim: '' },
}

/** Members that hold words for people to read. */
const words = new Set(['summary', 'description', 'title', 'examples'])

/** Whether nothing in a node is mutated: types, imports, and words for people to read. */
export function isLeftAlone(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) return words.has(node.name.text)
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true
  return ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
}

/** Every way to mutate one node of a program; its children are not looked at. */
export function replacementsOf(node: ts.Node): readonly Replacement[] {
  return [
    ...conditions(node),
    ...operatorsOf(node),
    ...literals(node),
    ...removals(node),
    ...methodsOf(node),
    ...optionals(node),
    ...elements(node),
  ]
}

function replaced(operator: string, node: ts.Node, ...texts: readonly string[]): readonly Replacement[] {
  return texts.map((text) => ({ operator, start: node.getStart(), end: node.getEnd(), text }))
}

function leftOut(operator: string, start: number, end: number): readonly Replacement[] {
  return [{ operator, start, end, text: '' }]
}

function conditions(node: ts.Node): readonly Replacement[] {
  if (ts.isIfStatement(node)) return replaced('condition', node.expression, 'true', 'false')
  if (ts.isConditionalExpression(node)) return replaced('condition', node.condition, 'true', 'false')
  if (ts.isWhileStatement(node)) return replaced('condition', node.expression, 'false')
  if (ts.isForStatement(node) && node.condition !== undefined) return replaced('condition', node.condition, 'false')
  return []
}

function operatorsOf(node: ts.Node): readonly Replacement[] {
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return replaced('negation', node, node.operand.getText())
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken)
    return replaced('sign', node, node.operand.getText())
  if (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node)) {
    const known = ts.tokenToString(node.operator) ?? ''
    const others = operators[known] ?? []
    return others.flatMap((other) => replaced('operator', node, node.getText().replace(known, other)))
  }
  if (!ts.isBinaryExpression(node)) return []
  const { left, operatorToken } = node
  if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
    return leftOut('default', left.getEnd(), node.getEnd())
  if (operatorToken.kind === ts.SyntaxKind.PlusToken && isText(node)) return []
  return replaced('operator', operatorToken, ...(operators[operatorToken.getText()] ?? []))
}

/** Whether a sum is one of texts, as far as it can be seen. */
function isText(node: ts.Node): boolean {
  if (ts.isBinaryExpression(node)) return isText(node.left) || isText(node.right)
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
}

function literals(node: ts.Node): readonly Replacement[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return replaced('boolean', node, 'false')
  if (node.kind === ts.SyntaxKind.FalseKeyword) return replaced('boolean', node, 'true')
  if ('name' in node.parent && node.parent.name === node) return []
  if (ts.isNumericLiteral(node)) return replaced('number', node, String(Number(node.text) + 1))
  if (ts.isStringLiteralLike(node)) return replaced('text', node, node.text === '' ? "'mutant'" : "''")
  return ts.isTemplateExpression(node) ? replaced('text', node, "''") : []
}

/** Statements that are left out, and default values of parameters and members. */
function removals(node: ts.Node): readonly Replacement[] {
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node) || ts.isContinueStatement(node))
    return replaced('statement', node, ';')
  if ((ts.isParameter(node) || ts.isBindingElement(node)) && node.initializer !== undefined) {
    const declared = ts.isParameter(node) ? (node.type ?? node.name) : node.name
    return leftOut('default', declared.getEnd(), node.initializer.getEnd())
  }
  return []
}

function methodsOf(node: ts.Node): readonly Replacement[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return []
  const { name, expression } = node.expression
  const other = Object.hasOwn(methods, name.text) ? methods[name.text] : undefined
  if (other === undefined) return []
  return other === '' ? leftOut('method', expression.getEnd(), node.getEnd()) : replaced('method', name, other)
}

function optionals(node: ts.Node): readonly Replacement[] {
  if (ts.isPropertyAccessExpression(node) && node.questionDotToken !== undefined)
    return replaced('optional', node.questionDotToken, '.')
  if ((ts.isCallExpression(node) || ts.isElementAccessExpression(node)) && node.questionDotToken !== undefined)
    return replaced('optional', node.questionDotToken, '')
  return []
}

/** Elements of lists, and what is spread into lists and objects. */
function elements(node: ts.Node): readonly Replacement[] {
  if (ts.isSpreadAssignment(node)) return replaced('element', node, '...{}')
  if (!ts.isArrayLiteralExpression(node.parent) || ts.isLiteralExpression(node)) return []
  return replaced('element', node, '...[]')
}
