import { authorize, findVisible, type Operation } from '../../../engine/index.ts'
import { boundedText, operationNamed, readBy } from '../read.ts'
import type { Resource } from '../resource.ts'

const json = 'application/json'

/** The timeline of a tracking number, as the protocol's own document and in another format. Both can be listened to. */
export function trackingResources(operations: readonly Operation[]): readonly Resource[] {
  const tracking = operationNamed(operations, 'otep_tracking')
  if (tracking === undefined) return []
  const find: Resource['find'] = async ({ tracking_number = '' }, { context }) => {
    authorize(context, tracking)
    return findVisible(context, tracking_number)
  }
  return [
    {
      uri: 'otep://tracking/{tracking_number}',
      name: 'tracking',
      title: 'Timeline of a tracking number',
      description:
        'What otep_tracking answers: the subject, its events in order of occurrence, and its current status.',
      mimeType: json,
      read: async (values, asking) => boundedText(await readBy(tracking, values, asking), asking.context),
      find,
    },
    {
      uri: 'otep://tracking/{tracking_number}/{format}',
      name: 'tracking-in-format',
      title: 'Timeline of a tracking number in a format',
      description: 'The document of the timeline in another format, as JSON; otep://formats lists the formats.',
      mimeType: json,
      complete: { format: ({ context }) => context.formats.map(({ name }) => name) },
      read: async (values, asking) => boundedText((await readBy(tracking, values, asking)).data, asking.context),
      find,
    },
  ]
}
