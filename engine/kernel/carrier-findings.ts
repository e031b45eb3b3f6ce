import { type Carrier, type CarrierMethod, carrierAnswers, optionalMethods } from './carrier.ts'

/** What is wrong with the parts of a carrier: the path of the member and an English sentence. */
export function carrierFindings(
  carrier: Partial<Carrier>,
): readonly { readonly path: string; readonly message: string }[] {
  const { name = '', title = '', credentials, services } = carrier
  const methods = Object.keys(carrierAnswers) as readonly CarrierMethod[]
  const isSchema = (credentials as { readonly kind?: unknown } | undefined)?.kind === 'schema'
  const codes = Array.isArray(services) ? services.map((one) => (one as { readonly code?: unknown } | null)?.code) : []
  const areNamed = codes.every((code) => typeof code === 'string' && /^[\w.-]{1,60}$/.test(code))
  const found = [
    [/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && name.length <= 60, 'name', 'must be lower-case words, such as my-post'],
    [typeof title === 'string' && title.trim() !== '', 'title', 'must not be empty'],
    [isSchema, 'credentials', 'must be a schema of valibot'],
    [Array.isArray(services) && areNamed, 'services', 'must be a list of {code, name}'],
    [new Set(codes).size === codes.length, 'services', 'must not have a code twice'],
    [
      (carrier.pickup === undefined) === (carrier.cancelPickup === undefined),
      'cancelPickup',
      'must be there if pickup is, and only then',
    ],
    ...methods.map((method) => [isRightMethod(carrier, method), method, 'must be a function'] as const),
  ] as const
  return found.flatMap(([isRight, path, message]) => (isRight ? [] : [{ path, message }]))
}

function isRightMethod(carrier: Partial<Carrier>, method: CarrierMethod): boolean {
  const isAbsent = optionalMethods.some((one) => one === method) && carrier[method] === undefined
  return isAbsent || typeof carrier[method] === 'function'
}
