import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isIntrospectionType,
  isListType,
  isObjectType,
  Kind,
  Lexer,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  Source,
  TokenKind,
  TypeMetaFieldDef,
  type ValueNode,
} from 'graphql'
import { EngineError } from '../../engine/index.ts'

/** Limits of a request. */
export const bounds = {
  /** Characters of a document. */
  length: 16 * 1024,
  tokens: 2000,
  /** Nested brackets of any kind; the parser recurses as deep. */
  nesting: 64,
  /** Field depth; introspection is deeper by nature and does not count. */
  depth: 8,
  schemaDepth: 16,
  /** Root fields; each alias counts. */
  roots: 10,
  /** Fields of the response, as far as the document tells. */
  cost: 10_000,
  schemaCost: 100_000,
} as const

/** Assumed size of a list whose size the document does not tell: of a page, and in introspection. */
const usualPage = 50
const largestPage = 200
const usualSchemaList = 10

const opening: readonly TokenKind[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]
const closing: readonly TokenKind[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]

/** Throws `graphql_too_deep` if too many brackets are open at once. */
export function refuseNesting(query: string): void {
  const lexer = new Lexer(new Source(query))
  let open = 0
  for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
    if (opening.includes(kind)) open++
    else if (closing.includes(kind)) open--
    if (open > bounds.nesting) throw new EngineError('graphql_too_deep', { limit: bounds.nesting })
  }
}

/** Variable values of a request. */
export type Variables = Readonly<Record<string, unknown>>

/** State of measuring a document. */
interface Measure {
  readonly schema: GraphQLSchema
  readonly variables: Variables
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  roots: number
  /** Selections visited so far: a short text may be a large tree through nested fragments. */
  selections: number
  /** Cost of introspection. */
  schemaCost: number
}

/** Position of a selection. */
interface Place {
  /** Number of levels above it. */
  readonly depth: number
  readonly type: GraphQLNamedType | undefined
  /** Number of items of a list below its root field. */
  readonly size: number
  /** The fragments around it; a recursive fragment is not visited again and is refused by validation later. */
  readonly inside: readonly string[]
}

/**
 * Refuses a document without exactly one operation, or one that exceeds the limits on depth, root fields or cost. Runs
 * before anything else and visits no more than the limits allow.
 */
export function refuseExcessive(document: DocumentNode, schema: GraphQLSchema, variables: Variables): void {
  const [operation, ...others] = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  if (operation === undefined || others.length > 0) throw new EngineError('graphql_one_operation')
  const named = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
  const fragments = new Map(named.map((node) => [node.name.value, node]))
  const type = schema.getRootType(operation.operation)
  if (!type) throw new EngineError('graphql_invalid', { reason: `There is no ${operation.operation} here.` })
  const root = { depth: 0, type, size: 1, inside: [] }
  costOf(operation.selectionSet, root, { schema, variables, fragments, roots: 0, selections: 0, schemaCost: 0 })
}

function costOf({ selections }: SelectionSetNode, place: Place, measure: Measure): number {
  const limit = isAboutSchema(place) ? bounds.schemaCost : bounds.cost
  let cost = 0
  for (const selection of selections) {
    measure.selections++
    if (selection.kind === Kind.FIELD) cost += costOfField(selection, place, measure)
    else if (selection.kind === Kind.FRAGMENT_SPREAD) cost += costOfFragment(selection.name.value, place, measure)
    else cost += costOf(selection.selectionSet, at(place, selection.typeCondition?.name.value, measure), measure)
    if (cost > limit || measure.selections > bounds.cost) throw new EngineError('graphql_too_costly', { limit })
  }
  return cost
}

function costOfFragment(name: string, place: Place, measure: Measure): number {
  const fragment = measure.fragments.get(name)
  if (fragment === undefined || place.inside.includes(name)) return 0
  const inside = [...place.inside, name]
  return costOf(fragment.selectionSet, { ...at(place, fragment.typeCondition.name.value, measure), inside }, measure)
}

/** The position inside a fragment on a type. */
function at(place: Place, type: string | undefined, { schema }: Measure): Place {
  return type === undefined ? place : { ...place, type: schema.getType(type) }
}

function costOfField(field: FieldNode, place: Place, measure: Measure): number {
  const definition = definitionOf(field, place.type)
  const depth = place.depth + 1
  const isRoot = depth === 1
  if (isRoot) measure.roots++
  if (measure.roots > bounds.roots) throw new EngineError('graphql_too_many_fields', { limit: bounds.roots })
  const size = isRoot ? sizeOf(field, definition, measure.variables) : place.size
  const below: Place = { ...place, depth, size, type: definition && getNamedType(definition.type) }
  const isSchema = isAboutSchema(below) || isAboutSchema(place)
  const limit = isSchema ? bounds.schemaDepth : bounds.depth
  if (depth > limit) throw new EngineError('graphql_too_deep', { limit })
  if (field.selectionSet === undefined) return 1
  const isList = definition !== undefined && isListType(getNullableType(definition.type))
  const items = isList ? (isSchema ? usualSchemaList : size) : 1
  const cost = 1 + items * costOf(field.selectionSet, below, measure)
  if (!isRoot || !isSchema) return cost
  measure.schemaCost += cost
  if (measure.schemaCost > bounds.schemaCost) throw new EngineError('graphql_too_costly', { limit: bounds.schemaCost })
  return 1
}

function definitionOf(
  { name }: FieldNode,
  type: GraphQLNamedType | undefined,
): GraphQLField<unknown, unknown> | undefined {
  const about = [SchemaMetaFieldDef, TypeMetaFieldDef].find((one) => one.name === name.value)
  return about ?? (isObjectType(type) ? type.getFields()[name.value] : undefined)
}

function isAboutSchema({ type }: Pick<Place, 'type'>): boolean {
  return type !== undefined && isIntrospectionType(type)
}

/** Maximum number of items of a list in the response of a root field: the page size, or one per given item. */
function sizeOf(
  { arguments: given = [] }: FieldNode,
  definition: GraphQLField<unknown, unknown> | undefined,
  variables: Variables,
): number {
  const isPaged = definition?.args.some(({ name }) => name === 'per_page') === true
  const values = given
    .filter(({ name }) => !isPaged || name.value === 'per_page')
    .map(({ value }) => valueIn(value, variables))
  if (!isPaged) return Math.max(1, ...values.map((value) => (Array.isArray(value) ? value.length : 1)))
  const [size = values.length === 0 ? usualPage : largestPage] = values
  return Math.min(typeof size === 'number' && size > 0 ? size : largestPage, largestPage)
}

function valueIn(value: ValueNode, variables: Variables): unknown {
  if (value.kind === Kind.VARIABLE) return variables[value.name.value]
  if (value.kind === Kind.INT) return Number(value.value)
  return value.kind === Kind.LIST ? value.values : undefined
}
