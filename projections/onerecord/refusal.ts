import type { Refused } from '../../engine/index.ts'
import { context } from './project.ts'

/**
 * A refusal as an Error of the standard, which has at least one detail (ONE Record API ontology, `api:Error`). `resource` is
 * the address that was called.
 */
export function refusal({ code, message, errors }: Refused, resource: string): object {
  const details = errors.length > 0 ? errors : [{ code, message, path: '' }]
  return {
    '@context': context,
    '@type': 'api:Error',
    'api:hasTitle': message,
    'api:hasErrorDetail': details.map((one) => ({
      '@type': 'api:ErrorDetail',
      'api:hasCode': one.code,
      'api:hasMessage': one.path === '' ? one.message : `${one.path}: ${one.message}`,
      'api:hasResource': { '@type': 'http://www.w3.org/2001/XMLSchema#anyURI', '@value': resource },
    })),
  }
}
