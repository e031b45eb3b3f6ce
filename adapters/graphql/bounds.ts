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

/** How much one request may ask for. */
export const bounds = {
  /** Characters of a document. */
  length: 16 * 1024,
  tokens: 2000,
  /** Brackets of any kind within each other: to parse them goes as deep. */
  nesting: 64,
  /** Levels of fields; what is asked about the schema itself lies deeper by its nature. */
  depth: 8,
  schemaDepth: 16,
  /** Fields at the root, each alias by itself. */
  roots: 10,
  /** Fields that an answer may have, as far as the document tells. */
  cost: 10_000,
  schemaCost: 100_000,
} as const

/** So many items a list has whose size the document does not tell: of a page, and about the schema. */
const usualPage = 50
const largestPage = 200
const usualSchemaList = 10

const opening: readonly TokenKind[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]
const closing: readonly TokenKind[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]

/** Refuses the text of a document in which too many brackets are open at once, with `graphql_too_deep`. */
export function refuseNesting(query: string): void {
  const lexer = new Lexer(new Source(query))
  let open = 0
  for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
    if (opening.includes(kind)) open++
    else if (closing.includes(kind)) open--
    if (open > bounds.nesting) throw new EngineError('graphql_too_deep', { limit: bounds.nesting })
  }
}

/** Values of the variables of a request. */
export type Variables = Readonly<Record<string, unknown>>

/** What a document is measured by. */
interface Measure {
  readonly schema: GraphQLSchema
  readonly variables: Variables
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  roots: number
  /** Selections that were looked at: what is small as a text may be large as a tree, by fragments within fragments. */
  looks: number
  /** Of all that is asked about the schema. */
  schemaCost: number
}

/** Where a selection stands. */
interface Place {
  /** Levels above it. */
  readonly depth: number
  readonly type: GraphQLNamedType | undefined
  /** How many items a list below its root field has. */
  readonly size: number
  /** The fragments that it stands in: one that stands in itself is not entered again, and refused later. */
  readonly inside: readonly string[]
}

/**
 * Refuses a document that has not just one operation, or asks for too much: by levels, by fields at the root, or by the
 * fields of its answer. It comes before all else that is done with a document, and looks no further than the bounds go.
 */
export function refuseExcess(document: DocumentNode, schema: GraphQLSchema, variables: Variables): void {
  const [operation, ...others] = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION)
  if (operation === undefined || others.length > 0) throw new EngineError('graphql_one_operation')
  const named = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION)
  const fragments = new Map(named.map((node) => [node.name.value, node]))
  const type = schema.getRootType(operation.operation)
  if (!type) throw new EngineError('graphql_invalid', { reason: `There is no ${operation.operation} here.` })
  const root = { depth: 0, type, size: 1, inside: [] }
  costOf(operation.selectionSet, root, { schema, variables, fragments, roots: 0, looks: 0, schemaCost: 0 })
}

function costOf({ selections }: SelectionSetNode, place: Place, measure: Measure): number {
  const limit = isAboutSchema(place) ? bounds.schemaCost : bounds.cost
  let cost = 0
  for (const selection of selections) {
    measure.looks++
    if (selection.kind === Kind.FIELD) cost += costOfField(selection, place, measure)
    else if (selection.kind === Kind.FRAGMENT_SPREAD) cost += costOfFragment(selection.name.value, place, measure)
    else cost += costOf(selection.selectionSet, at(place, selection.typeCondition?.name.value, measure), measure)
    if (cost > limit || measure.looks > bounds.cost) throw new EngineError('graphql_too_costly', { limit })
  }
  return cost
}

function costOfFragment(name: string, place: Place, measure: Measure): number {
  const fragment = measure.fragments.get(name)
  if (fragment === undefined || place.inside.includes(name)) return 0
  const inside = [...place.inside, name]
  return costOf(fragment.selectionSet, { ...at(place, fragment.typeCondition.name.value, measure), inside }, measure)
}

/** The place as a fragment on a type sees it. */
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

/** How many items a list in the answer of a root field may have: those of a page, or one for each item that it is given. */
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
