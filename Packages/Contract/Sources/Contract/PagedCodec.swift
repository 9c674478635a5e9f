public import JSON

/// A codec of a list that a server may send in several pages.
public protocol PagedCodec: ModelCodec {
    /// What identifies an element. Its text is the same for equal ids.
    associatedtype ElementID: Hashable, Sendable, LosslessStringConvertible

    /// Joins the pages of a list, in their order.
    ///
    /// While the pages are requested, an element may move from one to another, so that it is on
    /// both. The later page is newer, so an element is dropped if a later one, on any page, has the
    /// same id. Elements without an id are all retained, because nothing shows that two are the same.
    static func join(_ pages: [Model]) throws(JSONError) -> Model

    /// Applies changes to a list: removes the elements with the ids `deleted`, replaces each
    /// element that has the id of one in `changed`, and adds the others at the end. Of several
    /// changed elements with the same id, the last one counts; one without an id is ignored.
    ///
    /// An element with one of the ids `own` may be newer than the changes, because this program has
    /// changed it, so it is not replaced with an earlier version.
    static func apply(
        _ changed: Model,
        deleting deleted: Set<ElementID>,
        unlessOlderThan own: Set<ElementID>,
        to list: Model
    ) throws(JSONError) -> Model

    /// The list without elements.
    static var empty: Model { get }

    /// The number of elements of a list.
    static func count(of list: Model) -> Int

    /// About how much memory a list takes up, in bytes.
    static func memorySize(of list: Model) -> Int
}
