import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Packages of carriers. */
export const carrierPackageMessages = {
  not_found: {
    carrier_package_not_found: 'There is no carrier package {package}.',
  },
  conflict: {
    carrier_package_status_forbids: '{move} is not possible while the carrier package {package} is {status}.',
  },
} as const satisfies Catalogue

/** A code of packages of carriers. */
export type CarrierPackageCode = CodeOf<typeof carrierPackageMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<CarrierPackageCode, 'carrier-packages'> {}
}
