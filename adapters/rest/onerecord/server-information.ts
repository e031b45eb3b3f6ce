import { standalone } from '../../../projections/onerecord/resource.ts'
import { type Answer, apiVersions, iriOf, language, mediaTypes, respond } from './call.ts'

const xsd = 'http://www.w3.org/2001/XMLSchema#'

const uri = (value: string) => ({ '@type': `${xsd}anyURI`, '@value': value })

/** The ontologies of the documents, by version. IATA writes the version of the data model 3.2 with two digits. */
const ontologies = {
  'https://onerecord.iata.org/ns/cargo': ['3.3.0', '3.2'],
  'https://onerecord.iata.org/ns/api': apiVersions,
  'https://onerecord.iata.org/ns/code-lists': ['1.1.0'],
} as const

/** What the server is and can do (ONE Record API, Server Information). */
export const getServerInformation: Answer = async (call) => {
  const root = `${call.context.baseUrl}/onerecord`
  const information = {
    '@id': `${root}/`,
    '@type': 'api:ServerInformation',
    'api:hasDataHolder': { '@id': `${root}/#data-holder`, '@type': 'cargo:Organization' },
    'api:hasServerEndpoint': uri(root),
    'api:hasSupportedApiVersion': [...apiVersions],
    'api:hasSupportedContentType': [...mediaTypes],
    'api:hasSupportedEncoding': 'gzip',
    'api:hasSupportedLanguage': language,
    'api:hasSupportedOntology': Object.keys(ontologies).map(uri),
    'api:hasSupportedOntologyVersion': Object.entries(ontologies).flatMap(([name, versions]) =>
      versions.map((version) => uri(`${name}/${version}`)),
    ),
  }
  return respond(call, standalone(information), { type: iriOf('api:ServerInformation') })
}
