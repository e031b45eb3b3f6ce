import type { contentsTypes } from './customs.ts'
import type { customsDocumentKinds } from './label-documents.ts'
import type { Money } from './money.ts'

/** Somebody on a label, line by line. */
export interface PrintedParty {
  readonly name: string
  /** Street, town and so on; empty if none is known. */
  readonly lines: readonly string[]
  readonly phone?: string
}

/** The label of one parcel. */
export interface PrintedLabel {
  readonly from: PrintedParty
  readonly to: PrintedParty
  /** What scanners read: Code 128, GS1-128 for an SSCC, or a QR code if it is too long for bars. */
  readonly number: string
  /** The address that the QR code leads to. */
  readonly url?: string
  /** How it travels, in large letters. */
  readonly service: string
  /** Which parcel of how many. */
  readonly parcel: { readonly number: number; readonly of: number }
  readonly reference?: string
  /** When it is to be delivered (YYYY-MM-DD). */
  readonly day?: string
  readonly weight_grams?: number
  readonly note?: string
  /** Whether the label says that it is a sample. */
  readonly isSample?: boolean
}

/** The languages of documents that printers read. */
export const labelFormats = ['pdf', 'zpl'] as const

/** A language of documents that printers read: PDF, or ZPL II for label printers. */
export type LabelFormat = (typeof labelFormats)[number]

/** The media types of the formats. */
export const labelMediaTypes = { pdf: 'application/pdf', zpl: 'application/zpl' } as const satisfies Readonly<
  Record<LabelFormat, string>
>

/** The papers that labels are printed on: their size in millimetres, and how many labels are on one. */
export const labelPapers = {
  '100x150': { width: 100, height: 150, across: 1, down: 1 },
  '4x6': { width: 101.6, height: 152.4, across: 1, down: 1 },
  a6: { width: 105, height: 148, across: 1, down: 1 },
  a4_four: { width: 210, height: 297, across: 2, down: 2 },
} as const

/** A paper that labels are printed on. */
export type LabelSize = keyof typeof labelPapers

/** The papers by their names. */
export const labelSizes = ['100x150', '4x6', 'a6', 'a4_four'] as const satisfies readonly LabelSize[]

/** Dots of an inch of label printers. */
export const labelDpis = [203, 300] as const

/** Dots of an inch of a label printer. */
export type LabelDpi = (typeof labelDpis)[number]

/** What labels are printed on. */
export interface LabelSetup {
  readonly size: LabelSize
  readonly dpi: LabelDpi
  /** The place on the first page that the first label takes, from 1. */
  readonly start_at: number
}

/** Letters of a member of a label that no font has. */
export interface Unprinted {
  readonly member: string
  readonly letters: string
}

/** A document in base64. */
export interface PrintedDocument {
  readonly media_type: string
  readonly content: string
}

/** The page of a document, in millimetres. */
export interface PageSize {
  readonly width_mm: number
  readonly height_mm: number
}

/** A parcel in a manifest. */
export interface ManifestRow {
  readonly number: string
  readonly reference: string
  /** Postal code and country. */
  readonly destination: string
  readonly weight_grams: number
}

/** The list of the parcels that a carrier takes away. */
export interface PrintedManifest {
  readonly reference: string
  readonly business: string
  readonly carrier: string
  /** When it was asked for, in the time zone of the business. */
  readonly at: string
  readonly rows: readonly ManifestRow[]
}

/** A statement of a month as it is printed: sections of rows with the same number of cells, and the sums at the end. */
export interface PrintedStatement {
  readonly number: number
  /** YYYY-MM. */
  readonly month: string
  readonly currency: string
  readonly business: string
  /** The day of its issue in the time zone of the business. */
  readonly issued: string
  readonly to: string
  readonly sections: readonly {
    readonly title: string
    readonly columns: readonly string[]
    readonly rows: readonly (readonly string[])[]
  }[]
  readonly sums: readonly (readonly [name: string, amount: string])[]
}

/** A customs declaration or a commercial invoice as it is printed: for a parcel, or for a shipment. */
export interface PrintedCustoms {
  readonly kind: (typeof customsDocumentKinds)[number]
  readonly from: PrintedParty
  readonly to: PrintedParty
  readonly carrier: string
  /** The tracking number of the parcel. */
  readonly number: string
  readonly reference?: string
  /** When the label was asked for (YYYY-MM-DD). */
  readonly day: string
  readonly contents_type: (typeof contentsTypes)[number]
  readonly contents_explanation?: string
  readonly incoterm?: string
  readonly non_delivery: 'return' | 'abandon'
  readonly signer: string
  readonly invoice: { readonly number: string; readonly day: string }
  /** The numbers of the sender and the recipient with customs and tax offices. */
  readonly identifiers: readonly { readonly side: 'from' | 'to'; readonly name: string; readonly number: string }[]
  /** The goods: weights and values are those of all of a kind. */
  readonly rows: readonly {
    readonly description: string
    readonly quantity: number
    readonly unit_value: string
    readonly value: string
    readonly weight_grams: number
    readonly hs_code?: string
    readonly origin_country?: string
  }[]
  readonly total: Money
  readonly net_grams: number
  readonly gross_grams: number
  /** Whether the document says that it is a sample. */
  readonly isSample: boolean
}

/** A square code: its modules, line by line. */
export interface SquareCode {
  /** Modules of a line. */
  readonly across: number
  readonly isDark: readonly boolean[]
}

/** Prints labels, and manifests of A4, and draws codes. */
export interface LabelPrinter {
  /**
   * A document in base64, and the letters that no font has, which are marks in it. Refuses with `unprintable_text` if nobody could read
   * the recipient or its address: it names the `member` and the first `character`. Refuses with `labels_unavailable` if the packages for
   * printing are not installed.
   */
  print(
    format: LabelFormat,
    labels: readonly PrintedLabel[],
    setup: LabelSetup,
  ): Promise<{ readonly content: string; readonly unprinted: readonly Unprinted[] }>
  /**
   * A document that a carrier made, on a paper of this size if that loses nothing, else as it is. Its `page` is the size that it has; it is
   * missing where the document does not say it.
   */
  place(
    document: PrintedDocument,
    size: LabelSize | undefined,
  ): Promise<PrintedDocument & { readonly page?: PageSize; readonly isPlaced: boolean }>
  /**
   * A PDF in base64, with a line for each parcel and one to sign on. Letters that no font has are a mark, so that a driver
   * does not leave without the paper. Refuses with `labels_unavailable`, as `print` does.
   */
  printManifest(manifest: PrintedManifest): Promise<string>
  /** A PDF in base64 of a statement, in which letters that no font has are a mark. Refuses with `labels_unavailable`, as `print` does. */
  printStatement(statement: PrintedStatement): Promise<string>
  /**
   * A PDF in base64 with the forms, each of its kind, with headings in English and French. Letters that no font has are a mark.
   * Refuses with `labels_unavailable`, as `print` does.
   */
  printCustoms(forms: readonly PrintedCustoms[]): Promise<string>
  /** The QR code of a text, with error correction of level M. Absent if the package that draws codes is not installed. */
  readonly qrOf?: ((text: string) => Promise<SquareCode>) | undefined
}

/** An address by road. */
interface PostalAddress {
  readonly street?: string | undefined
  readonly street2?: string | undefined
  readonly locality?: string | undefined
  readonly region?: string | undefined
  readonly postal_code?: string | undefined
  readonly country?: string | undefined
}

/** Countries in which the postal code follows the town. */
const codeLast = ['AU', 'CA', 'GB', 'IE', 'IN', 'NZ', 'US']

const countryNames = new Intl.DisplayNames('en', { type: 'region' })

/** The lines of an address, as a post office reads them; its country comes last, in English. */
export function addressLines({
  street,
  street2,
  locality,
  region,
  postal_code: code,
  country = '',
}: PostalAddress): readonly string[] {
  const town = codeLast.includes(country)
    ? [locality, region, code]
    : [code, locality, region === undefined ? undefined : `(${region})`]
  const lines = [street, street2, town.filter((part = '') => part !== '').join(' '), nameOf(country)]
  return lines.flatMap((line = '') => (line === '' ? [] : [line]))
}

function nameOf(country: string): string | undefined {
  return country === '' ? undefined : countryNames.of(country)?.toUpperCase()
}
