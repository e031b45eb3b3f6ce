import type { Context, Visible } from '../../engine/index.ts'
import type { ToolRequest } from './tool-request.ts'

/** Values by the name of a variable or an argument. */
export type Values = Readonly<Record<string, string>>

/** The possible values of a variable or an argument, of which those that begin like the given one are offered. */
export type Complete = (asking: ToolRequest, given: Values) => readonly string[] | Promise<readonly string[]>

/** A resource, or a family of them. */
export interface Resource {
  /** Its address. `{name}` is a placeholder for a segment; with any, this is a template. */
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  /** Whether the developer server alone has it. */
  readonly server?: 'developer'
  /** The possible values of its variables. */
  readonly complete?: Readonly<Record<string, Complete>>
  /** The resources of a template that are worth listing. */
  list?(context: Context): readonly Listed[]
  /** Its text. Throws an `EngineError` if there is none for these values. */
  read(values: Values, asking: ToolRequest): Promise<string>
  /** The timeline that it is made of, as the caller sees it; absent if it never changes. Throws like `read`, and counts against no limit. */
  find?(values: Values, asking: ToolRequest): Promise<Visible>
}

/** A resource of a template. */
interface Listed {
  readonly values: Values
  readonly title: string
}

/** Whether it has variables. */
export function isTemplate({ uri }: Resource): boolean {
  return uri.includes('{')
}

const longest = 2_000

/** A resource, and the values of its variables. */
interface Found {
  readonly resource: Resource
  readonly values: Values
}

/** The resource at an address. */
export function resourceAt(resources: readonly Resource[], uri: string): Found | undefined {
  if (uri.length > longest) return undefined
  for (const resource of resources) {
    const values = valuesIn(uri, resource)
    if (values !== undefined) return { resource, values }
  }
  return undefined
}

function valuesIn(uri: string, { uri: template }: Resource): Values | undefined {
  const [given, wanted] = [uri.split('/'), template.split('/')]
  if (given.length !== wanted.length) return undefined
  const values: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? ''
    const name = variableIn(segment)
    const decoded = name === undefined ? undefined : decodedSegment(value)
    if (name === undefined ? value !== segment : decoded === undefined) return undefined
    if (name !== undefined && decoded !== undefined) values[name] = decoded
  }
  return values
}

function variableIn(segment: string): string | undefined {
  return /^\{(\w+)\}$/.exec(segment)?.[1]
}

/** A segment as it is meant; undefined for an empty one and for wrong percent-encoding. */
function decodedSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment) || undefined
  } catch {
    return undefined
  }
}

/** The address of a resource of a template. */
export function addressOf({ uri }: Pick<Resource, 'uri'>, values: Values): string {
  return uri.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}
