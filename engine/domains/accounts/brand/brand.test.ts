import t from 'tap'
import type { FileType } from '../../../kernel/files.ts'
import { fileTypeOf } from '../../../kernel/files.ts'
import { specificationOf } from '../../../testing/spec.ts'
import { businesses } from '../business.ts'
import type { BusinessEvent } from '../events.ts'
import { imageSizeOf } from './image.ts'

const at = '2026-06-10T10:00:00.000Z'
const stamp = { at, by: 1 }
const logo = { file: `business-7/${'a'.repeat(32)}.png`, width: 40, height: 20 } as const
const opened: BusinessEvent = {
  type: 'BusinessOpened',
  data: { at, by: null, business_id: 7, name: 'Acme Ltd', time_zone: 'Europe/Paris', currency: 'EUR' },
}
const branded: BusinessEvent = { type: 'BusinessBrandSet', data: { ...stamp, name: 'Acme' } }
const withLogo: BusinessEvent = { type: 'BusinessLogoSet', data: { ...stamp, ...logo } }

t.test('given a business, when its brand changes, then facts say how', (t) => {
  const { given } = specificationOf(t, businesses)
  const brand = { name: 'Acme', accent_color: '#ffcc00' }
  const set: BusinessEvent = { type: 'BusinessBrandSet', data: { ...stamp, ...brand } }
  given(opened)
    .when({ type: 'SetBrand', brand, ...stamp })
    .then(set)
  given(opened)
    .when({ type: 'SetLogo', logo, ...stamp })
    .thenRefused('brand_not_found')
  given(opened, branded)
    .when({ type: 'SetLogo', logo, ...stamp })
    .then(withLogo)
  given(opened, branded)
    .when({ type: 'RemoveLogo', ...stamp })
    .thenNothing()
  given(opened, branded, withLogo)
    .when({ type: 'RemoveLogo', ...stamp })
    .then({ type: 'BusinessLogoRemoved', data: stamp })
  given(opened)
    .when({ type: 'RemoveBrand', ...stamp })
    .thenNothing()
  t.end()
})

t.test(
  'given a brand with a logo, when its name changes, then the logo stays; when it is removed, then all goes',
  (t) => {
    const after = (...events: readonly BusinessEvent[]) => events.reduce(businesses.evolve, businesses.initial())?.brand
    const renamed: BusinessEvent = { type: 'BusinessBrandSet', data: { ...stamp, name: 'Acme 2' } }
    t.match(after(opened, branded, withLogo, renamed), { name: 'Acme 2', logo })
    t.equal(after(opened, branded, withLogo, { type: 'BusinessLogoRemoved', data: stamp })?.logo, undefined)
    t.equal(after(opened, branded, withLogo, { type: 'BusinessBrandRemoved', data: stamp }), undefined)
    t.end()
  },
)

// Made by other programs: ImageMagick's PNG and JPEG, cwebp's three kinds.
const samples: Readonly<Record<string, readonly [type: FileType, base64: string, size: readonly [number, number]]>> = {
  png: [
    'image/png',
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAC0lEQVR4nGNgwAUAABoAASRETuUAAAAASUVORK5CYII=',
    [3, 2],
  ],
  webp: ['image/webp', 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', [1, 1]],
  lossless: ['image/webp', 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', [1, 1]],
}

t.test('given an image, when its size is read, then it is that of its header, and nothing of a cut one', (t) => {
  for (const [name, [type, base64, [width, height]]] of Object.entries(samples)) {
    const bytes = Buffer.from(base64, 'base64')
    t.equal(fileTypeOf(base64), type, name)
    t.same(imageSizeOf(type, bytes), { width, height }, name)
    for (let length = 0; length < 12; length++) t.equal(imageSizeOf(type, bytes.subarray(0, length)), undefined)
  }
  // SOI, APP0 of 16 bytes, then the frame header of a progressive image: 8 bits, 600 lines of 800.
  const frame = Buffer.from(`ffd8ffe00010${'00'.repeat(14)}ffc20011080258032003`, 'hex')
  t.same(imageSizeOf('image/jpeg', frame), { width: 800, height: 600 })
  t.equal(imageSizeOf('image/jpeg', Buffer.from(`ffd8ffe00001${'00'.repeat(40)}`, 'hex')), undefined, 'no way on')
  t.equal(imageSizeOf('application/pdf', Buffer.from('%PDF-1.7')), undefined)
  t.end()
})
