/** How many cases a property draws: as many as usual in `npm test`, what the soak asks for there. */
export const propertyRuns = (usual: number): number => Number(process.env['SOAK_RUNS'] ?? usual);

/** Where drawing begins: the same place in every `npm test`. */
export const propertySeed = (usual: number): number => Number(process.env['SOAK_SEED'] ?? usual);
