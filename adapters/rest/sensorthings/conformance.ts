const requirements = 'http://www.opengis.net/spec/iot_sensing/1.1/req'

const met: Readonly<Record<string, readonly string[]>> = {
  datamodel: [
    ...['thing', 'location', 'historical-location', 'datastream', 'sensor', 'observed-property', 'observation'],
    ...['feature-of-interest', 'entity-control-information'],
  ],
  'resource-path': ['resource-path-to-entities'],
  'request-data': [
    ...['order', 'status-codes', 'expand', 'select', 'orderby', 'skip', 'top', 'count', 'filter'],
    ...['built-in-filter-operations', 'built-in-query-functions', 'pagination'],
  ],
  'data-array': ['data-array'],
}

/** The requirements of 18-088 that the service meets, by their URIs. */
export const conformance: readonly string[] = Object.entries(met).flatMap(([group, names]) =>
  names.map((name) => `${requirements}/${group}/${name}`),
)
