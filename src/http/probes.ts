/** The paths of the probes, which an orchestrator asks without a token and as often as it likes. */
const probes = new Set(['/livez', '/readyz']);

export const isProbe = (path: string): boolean => probes.has(path);
