/** Words of this area; its screens are the owner. */
export const tiles = {};
