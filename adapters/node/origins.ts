/** Reads origins such as `https://shop.example, https://admin.shop.example:8443`. */
export function originsFrom(
  env: Readonly<Record<string, string | undefined>>,
  name: 'OTEP_CORS_ORIGINS' | 'OTEP_FRAME_ANCESTORS',
): readonly string[] {
  const origins = (env[name] ?? '').split(',').flatMap((part) => part.trim() || [])
  for (const origin of origins)
    if (!/^https?:\/\/[\w.:[\]-]+$/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new Error(`${name} must list origins such as https://shop.example, not ${origin}`)
  return origins
}
