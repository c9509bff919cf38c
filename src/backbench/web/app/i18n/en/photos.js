/** Words of photos. */
export const photos = {
  title: "Photos",
  camera: "Camera",
  gallery: "Gallery",
  none: "No photos yet. One before the work ends many a dispute.",
  /** @param {number} number @param {number} of */
  nth: (number, of) => `Photo ${number} of ${of}`,
  /** @param {number} sent @param {number} all */
  progress: (sent, all) => `${sent} of ${all} photos sent`,
  kind: "What it shows",
  kinds: { before: "Before", during: "During", after: "After", detail: "Detail" },
  caption: "Caption",
  shared: "The customer may see it",
  sharedHelp: "On the page of the order, for whoever has its code.",
  cover: "Use as cover",
  isCover: "Cover",
  delete: "Delete",
  deleted: "Photo deleted",
  retry: "Send again",
  previous: "Previous photo",
  next: "Next photo",
  close: "Close",
  isShared: "shared",
  orderGone: "Its order does not exist any more.",
  /** Why one was not taken, by the code of the server. */
  problems: {
    unsupported_media_type:
      "This file is no JPEG, PNG or WebP. Photos from an iPhone: choose “Most compatible” in the camera’s settings.",
    too_large: "The photo is too large.",
    validation_error: "The photo is damaged.",
    plan_limit:
      "There is no space for more photos: an order can have 40, and the storage of the workshop has a limit, too.",
    other: "The photo could not be sent.",
  },
  share: {
    title: "Add photos",
    /** @param {number} count */
    which: (count) =>
      count === 1
        ? "To which order does this photo belong?"
        : `To which order do these ${count} photos belong?`,
    none: "There are no photos to add.",
    search: "Search for an order",
    fresh: "New order",
  },
};
