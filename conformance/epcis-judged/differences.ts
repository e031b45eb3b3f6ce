/** A difference between this reader and the official judges, with its reason. */
interface Difference {
  readonly why: string
  readonly binding: 'json' | 'xml'
  /** What only this reader refuses (by code and path), or only the judges (by what they say). */
  readonly side: 'reader' | 'judges'
  readonly found: RegExp
}

/** Every deliberate difference. A verdict that differs in any other way is a fault of the reader. */
export const differences: readonly Difference[] = [
  {
    why: 'Two contents with one id: a repository could not keep both.',
    binding: 'json',
    side: 'reader',
    found: /^duplicate_event_id /,
  },
  {
    why: 'More than 10,000 things in one event, or extensions of more than 32 levels: the work of a call is bounded.',
    binding: 'json',
    side: 'reader',
    found: /^(?:too_long|too_deep) /,
  },
  {
    why: 'A term of GS1, or a scheme of URIs, that a context declares anew: the judges compare the definitions.',
    binding: 'json',
    side: 'reader',
    found: /^reserved_term /,
  },
  {
    why: 'A time outside of the years 1 to 9999 cannot be stored.',
    binding: 'json',
    side: 'reader',
    found: /^no_such_date /,
  },
  {
    why: 'A keyword of JSON-LD in a place where it has no effect.',
    binding: 'json',
    side: 'reader',
    found: /^\w+ .*@(?:id|type|value|language|graph|included|reverse|index|nest|set|list)\b/,
  },
  {
    why: 'Terms of GS1 with a context of their own (sourceList, sensorElementList) where EPCIS has no such member.',
    binding: 'json',
    side: 'reader',
    found: /^(?:not_a_uri|unknown_field) epcisBody\.(?!eventList\[)|^(?:not_a_uri|unknown_field) .*:/,
  },
  {
    why: 'A name that is no URI, in a part of an event: the JSON Schema has a rule for the names of events only.',
    binding: 'json',
    side: 'reader',
    found: /^undeclared_prefix epcisBody\.eventList\[\d+\]\.[^.:]+[.[]/,
  },
  {
    why: 'Master data in the header: the context of GS1 has no term for it, so JSON-LD drops it. It is not used.',
    binding: 'json',
    side: 'judges',
    found: /JSON-LD: Safe mode.*"epcisMasterData"/,
  },
  {
    why: 'bizRules of a sensor report: the JSON Schema has it, but the context has it only for sensorMetadata.',
    binding: 'json',
    side: 'judges',
    found: /JSON-LD: Safe mode.*"bizRules"/,
  },
  {
    why: 'RDF has no order and no duplicates: one transaction with two types has two types.',
    binding: 'json',
    side: 'judges',
    found: /BizTransaction(Mandatory)?Shape|SourceOrDestination|SetShape/,
  },
  {
    why: 'Quantities of 10^21 and more: JSON-LD writes them with an exponent, which xsd:decimal has not.',
    binding: 'json',
    side: 'judges',
    found: /QuantityElementShape/,
  },
  {
    why: 'persistentDisposition under its full name in an event that must not have it.',
    binding: 'json',
    side: 'judges',
    found: /PersistentDispositionForbiddenShape/,
  },
  {
    why: 'Two contents with one id, as in JSON.',
    binding: 'xml',
    side: 'reader',
    found: /^duplicate_event_id /,
  },
  {
    why: 'A time without a year from 1 to 9999 cannot be stored.',
    binding: 'xml',
    side: 'reader',
    found: /^no_such_date /,
  },
  {
    why: 'An empty document type declaration `[]`: internal subsets are not read at all.',
    binding: 'xml',
    side: 'reader',
    found: /^malformed_xml /,
  },
  {
    why: 'The header is not used, so its content is not checked.',
    binding: 'xml',
    side: 'judges',
    found: /EPCISHeader|EPCISMasterData|StandardBusinessDocumentHeader|Vocabulary/,
  },
  {
    why: 'Documents of master data, commands of the query interface and empty answers: nothing of them would be kept.',
    binding: 'xml',
    side: 'reader',
    found: /^no_events /,
  },
  {
    why: '`xsi:type` is not read.',
    binding: 'xml',
    side: 'judges',
    found: /XMLSchema-instance}type/,
  },
  {
    why: 'An empty `extension` in the list of events.',
    binding: 'xml',
    side: 'judges',
    found: /Element 'extension': Missing child/,
  },
  {
    why: '`schemaVersion` 2.0.0 and 2.0.1 are the names of the releases, but no decimal numbers.',
    binding: 'xml',
    side: 'judges',
    found: /schemaVersion/,
  },
]
