import Contract

/// The URLs of the server. They are below a base URL or set individually.
public struct Endpoints: Sendable, Hashable {
    /// The URL of the list of salons.
    public var salons: String? {
        get { url(of: SalonListCodec.name) }
        set { lists[SalonListCodec.name] = newValue }
    }
    /// The URL at which appointments are listed and booked.
    public var appointments: String? {
        get { url(of: AppointmentListCodec.name) }
        set { lists[AppointmentListCodec.name] = newValue }
    }
    /// The URL of a salon's slots, with `{id}` for the salon's id; nil if the server has no slots.
    public var availability: String?
    /// The URL at which times are held; nil if the server has no holds.
    public var holds: String?
    /// The URL of the feed of changes to salons and appointments; nil if the server has none.
    public var changes: String?
    /// The URLs of lists that are set individually, by the names of their resources.
    public var lists: [String: String] = [:]
    private var base: EndpointURL?

    /// Creates endpoints without URLs.
    public init() {}

    /// Creates endpoints with the default paths below `base`, each with the query of `base`.
    public init(base: String) {
        let base = EndpointURL(base)
        self.base = base
        availability = base.appending(path: "salons/{id}/availability").text
        holds = base.appending(path: "holds").text
        changes = base.appending(path: "changes").text
    }

    /// Whether one of the URLs has this origin. Parsing them in advance would slow down the start.
    package func contain(_ origin: Origin) -> Bool {
        all.contains { Origin($0) == origin }
    }

    /// All configured URLs.
    public var all: [String] {
        [base?.text, salons, appointments, availability, holds, changes].compactMap(\.self)
            + lists.values
    }

    /// The URL of the list `name`; nil if none is configured.
    package func url(of name: String) -> String? {
        lists[name] ?? base?.appending(path: name).text
    }
}
