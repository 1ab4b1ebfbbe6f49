export { createMemoryStores } from './memory/memory-stores.js';
export { checkDatabase } from './sqlite/check-database.js';
export { acquireHomeLock } from './sqlite/home-lock.js';
export { locateDatabase } from './sqlite/locate-database.js';
export { openSqliteStores } from './sqlite/sqlite-stores.js';
