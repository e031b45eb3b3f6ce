/** Somewhere on the map. */
export interface Place {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
}

/** The places that every parcel of a carrier passes. */
export const places = {
  shop: { name: 'Birchwater Books, Paris', latitude: 48.8606, longitude: 2.3376 },
  hub: { name: 'Hub Chilly', latitude: 48.7028, longitude: 2.3181 },
  depot: { name: 'Depot Lyon Part-Dieu', latitude: 45.7606, longitude: 4.8594 },
} as const satisfies Readonly<Record<string, Place>>

/** Streets of the town. */
export const streets = [
  'Rue de la République',
  'Rue Garibaldi',
  'Cours Lafayette',
  'Avenue Jean Jaurès',
  'Rue Mercière',
  'Quai Claude Bernard',
  'Rue Duguesclin',
  'Boulevard des Belges',
] as const

/** The lockers of the town, by their ids from 1. */
export const lockers = ['Locker Part-Dieu', 'Locker Bellecour', 'Locker Croix-Rousse'] as const
