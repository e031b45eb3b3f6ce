const requirements = 'http://www.opengis.net/spec/iot_sensing/1.1/req'

/** Requirements of 18-088, whether they are met, and what there is to say about that. */
interface Requirement {
  readonly group: string
  readonly names: readonly string[]
  readonly isMet: 'yes' | 'in part' | 'no'
  readonly note?: string
}

/** THE TABLE of requirements of 18-088. */
export const requirementTable: readonly Requirement[] = [
  {
    group: 'datamodel',
    names: [
      ...['thing', 'location', 'historical-location', 'datastream', 'sensor', 'observed-property', 'observation'],
      ...['feature-of-interest', 'entity-control-information'],
    ],
    isMet: 'yes',
    note: 'the time of the result of a reading is null',
  },
  {
    group: 'resource-path',
    names: ['resource-path-to-entities'],
    isMet: 'yes',
    note: 'with properties, `$value`, `$ref` and `/$count`',
  },
  {
    group: 'request-data',
    names: ['order', 'expand', 'select', 'orderby', 'skip', 'top', 'count', 'pagination'],
    isMet: 'yes',
    note: 'also in `$expand`, whose lists have links to next pages themselves',
  },
  {
    group: 'request-data',
    names: ['status-codes'],
    isMet: 'yes',
    note: 'an option that is not known, malformed or given twice is refused with 400, its name, and what was probably meant',
  },
  {
    group: 'request-data',
    names: ['filter'],
    isMet: 'in part',
    note: 'a path to all Observations of an entity (`Datastreams/Observations/result gt 8`) is refused; Observations themselves are filtered',
  },
  {
    group: 'request-data',
    names: ['built-in-filter-operations', 'built-in-query-functions'],
    isMet: 'yes',
    note: 'texts, times, numbers, `geo.distance`, `geo.length`, `geo.intersects`, and all of `st_`',
  },
  {
    group: 'data-array',
    names: ['data-array'],
    isMet: 'yes',
    note: '`$resultFormat=dataArray` and `POST /CreateObservations`',
  },
  { group: 'create-update-delete', names: ['create-entity'], isMet: 'in part', note: 'Observations only' },
  {
    group: 'create-update-delete',
    names: ['link-to-existing-entities', 'deep-insert', 'deep-insert-status-code'],
    isMet: 'in part',
    note: 'an Observation names its Datastream, and has its FeatureOfInterest by id or in full',
  },
  {
    group: 'create-update-delete',
    names: ['historical-location-auto-creation'],
    isMet: 'in part',
    note: 'events with places make them',
  },
  {
    group: 'create-update-delete',
    names: ['update-entity', 'delete-entity'],
    isMet: 'no',
    note: 'an event is corrected or withdrawn by its producer; 405 with the reason',
  },
  { group: 'batch-request', names: ['batch-request'], isMet: 'no' },
  { group: 'multi-datastream', names: ['multi-datastream'], isMet: 'no' },
  { group: 'create-observations-via-mqtt', names: ['observations-creation'], isMet: 'no' },
  { group: 'receive-updates-via-mqtt', names: ['receive-updates'], isMet: 'no' },
]

/** The requirements of 18-088 that the service meets, by their URIs. */
export const conformance: readonly string[] = requirementTable.flatMap(({ group, names, isMet }) =>
  isMet === 'yes' ? names.map((name) => `${requirements}/${group}/${name}`) : [],
)
