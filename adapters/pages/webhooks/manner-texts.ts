/** How events are sent, by member of the operations. */
export const manner = {
  format: 'Format',
  signature: 'Signature',
  standard_signature: 'Standard Webhooks',
  in_order: 'In order for each subject',
  ed25519: 'Public key (ed25519)',
  where: 'Only where, such as: type in (D, P)',
}

/** The words of each signature. */
export const signatures = { native: 'Plain signature', standard: 'Standard Webhooks, too' }
