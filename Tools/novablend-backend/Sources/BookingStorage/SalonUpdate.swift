public import Domain

/// The result of putting a salon.
public enum SalonUpdate: Sendable, Hashable {
    /// The salon did not exist before.
    case created(Salon)
    /// The salon existed before. This number of its appointments were moved.
    case replaced(Salon, moved: Int = 0)

    /// The salon that is stored now, with its version.
    public var salon: Salon {
        switch self {
        case .created(let salon), .replaced(let salon, _): salon
        }
    }
}
