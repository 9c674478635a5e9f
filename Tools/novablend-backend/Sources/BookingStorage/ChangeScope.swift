/// The kinds of elements that a feed of changes has.
public struct ChangeKinds: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The salons.
    public static let salons = ChangeKinds(rawValue: 1)
    /// The appointments.
    public static let appointments = ChangeKinds(rawValue: 2)
    /// All kinds.
    public static let all: ChangeKinds = [.salons, .appointments]
}

/// Which changes a client gets.
public struct ChangeScope: Sendable, Hashable {
    /// What the client may see.
    public var role: Principal.Role
    /// What the client asks for.
    public var kinds: ChangeKinds

    /// Creates a scope.
    public init(_ role: Principal.Role, _ kinds: ChangeKinds = .all) {
        (self.role, self.kinds) = (role, kinds)
    }
}
