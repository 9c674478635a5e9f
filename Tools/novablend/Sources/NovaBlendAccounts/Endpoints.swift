/// The URLs of the server: by default below a base URL, or set one by one.
public struct Endpoints: Sendable, Hashable {
    /// Where salons are listed.
    public var salons: String?
    /// Where appointments are listed and booked.
    public var appointments: String?
    /// Where a salon's slots are, with `{id}` for the salon; nil if the server does not
    /// offer them.
    public var availability: String?
    /// Where the other lists are, by the names of their resources.
    public var lists: [String: String] = [:]
    private var base: EndpointURL?

    /// Makes endpoints with nothing set.
    public init() {}

    /// The default paths below `base`, each with the query of `base`.
    public init(base: String) {
        let base = EndpointURL(base)
        self.base = base
        salons = base.appending(path: "salons").text
        appointments = base.appending(path: "appointments").text
        availability = base.appending(path: "salons/{id}/availability").text
    }

    /// The origins of all URLs.
    package var origins: Set<Origin> {
        Set(all.compactMap(Origin.init))
    }

    /// All URLs that are configured.
    public var all: [String] {
        [base?.text, salons, appointments, availability].compactMap(\.self) + lists.values
    }

    /// The URL of the list `name`; nil if none is configured.
    package func url(of name: String) -> String? {
        lists[name] ?? base?.appending(path: name).text
    }
}
