/// A row of the table of occupied grains, as a test reads it from the database.
public struct OccupiedGrain: Sendable, Hashable {
    /// The id of the salon.
    public var salon: String
    /// The number of the five-minute interval since the Unix epoch.
    public var grain: Int64
    /// The name of the staff member or seat: its kind, a space, and its id or number.
    public var resource: String
    /// The id of the appointment or hold.
    public var owner: String

    /// Creates a grain.
    public init(salon: String, grain: Int64, resource: String, owner: String) {
        self.salon = salon
        self.grain = grain
        self.resource = resource
        self.owner = owner
    }

    /// The resource in this grain, which only one owner can have.
    var place: String { "\(resource) in grain \(grain) of \(salon)" }
}
