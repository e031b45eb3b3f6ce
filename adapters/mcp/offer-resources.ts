import type { Resource as ListedResource, Server } from '@modelcontextprotocol/server'
import { EngineError, excerptOf } from '../../engine/index.ts'
import { inProtocol, requireFirstPage } from './protocol-errors.ts'
import { addressOf, isTemplate, type Resource, resourceAt } from './resource.ts'
import type { Setup } from './setup.ts'
import type { ToolRequest } from './tool-request.ts'

/** Lists and reads the resources of a server. */
export function offerResources(server: Server, { resources }: Setup, asking: ToolRequest): void {
  server.setRequestHandler('resources/list', ({ params }) => {
    requireFirstPage(params?.cursor, asking)
    return { resources: resources.flatMap((one) => listedOf(one, asking)) }
  })
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    requireFirstPage(params?.cursor, asking)
    const templates = resources.filter(isTemplate)
    return { resourceTemplates: templates.map((one) => ({ uriTemplate: one.uri, ...describe(one) })) }
  })
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    inProtocol(
      asking,
      async () => {
        const found = resourceAt(resources, uri)
        if (found === undefined) throw new EngineError('unknown_resource', { received: excerptOf(uri) })
        const { resource, values } = found
        return { contents: [{ uri, mimeType: resource.mimeType, text: await resource.read(values, asking) }] }
      },
      uri,
    ),
  )
}

function listedOf(resource: Resource, { context }: ToolRequest): ListedResource[] {
  const whole = describe(resource)
  if (!isTemplate(resource)) return [{ uri: resource.uri, ...whole }]
  return (resource.list?.(context) ?? []).map(({ values, title }) => {
    const name = [resource.name, ...Object.values(values)].join('-')
    return { ...whole, uri: addressOf(resource, values), name, title }
  })
}

function describe({ name, title, description, mimeType }: Resource) {
  return { name, title, description, mimeType }
}
