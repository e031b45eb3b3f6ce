import { peerVersion } from './version.ts'

/**
 * Loads an optional peer package. If it is not installed, the error says in one line what needs it and how to install
 * it.
 */
export async function optional<Module>(use: string, name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (!isAbsent(error, name)) throw error
    throw new Error(`${use} need a package that is not installed: npm i ${name}@${peerVersion(name)}`, { cause: error })
  }
}

/** Whether this package itself is missing, not one of its dependencies. */
function isAbsent(error: unknown, name: string): boolean {
  const { code, message } = error as Partial<NodeJS.ErrnoException>
  return code === 'ERR_MODULE_NOT_FOUND' && message?.includes(`'${name}'`) === true
}
