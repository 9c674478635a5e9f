public import JSON

/// A codec of a list that a server may send in several pages.
public protocol PagedCodec: ModelCodec {
    /// Joins the pages of a list, in their order.
    ///
    /// While the pages are requested, an element may move from one to another, so that it is on
    /// both. The later page is newer, so an element is dropped if a later page has one with the same
    /// id. Elements without an id are all retained, because nothing shows that two are the same.
    static func join(_ pages: [Model]) throws(JSONError) -> Model
}
