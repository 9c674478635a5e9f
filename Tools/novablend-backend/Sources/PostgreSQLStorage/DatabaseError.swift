import BookingStorage

/// Why a statement or a transaction has no result.
enum DatabaseError: Error {
    /// The connection can no longer be used. What it has not committed is rolled back.
    case disconnected(String)
    /// The server has rejected the statement, with this SQLSTATE
    /// (postgresql.org/docs/current/errcodes-appendix.html).
    case rejected(sqlState: String, String)
    /// Nothing can be done with the database: for example, a stored value is invalid.
    case failed(StorageFailure)
    /// A different transaction was faster, or could be. The transaction must be rolled back and run
    /// again, so that it sees what the other one has done.
    case lostRace
    /// The COMMIT was sent, but its result is not known.
    case unknownOutcome(String)

    /// The error that the server has reported in a result.
    init(_ result: QueryResult) {
        let state = result.field("C")
        let message = result.field("M")
        self =
            Self.isFinal(state) ? .disconnected(message) : .rejected(sqlState: state, message)
    }

    /// Whether the server closes the connection, or will never again accept changes from it.
    private static func isFinal(_ state: String) -> Bool {
        switch state {
        case "57P01", "57P02", "57P03", "57P04", "57P05": true  // It shuts down, or has crashed.
        case "25P03": true  // The transaction was idle for too long.
        case "25006": true  // It has become a standby.
        default: state.isEmpty || state.hasPrefix("08")
        }
    }

    /// Whether a lock was not available in time.
    var isLockTimeout: Bool {
        if case .rejected("55P03", _) = self { true } else { false }
    }

    /// The failure if others keep a lock too long.
    static let locked = StorageFailure(
        .locked,
        "other changes have locked the database; try again later"
    )

    /// The failure if the sessions of different clients share a connection to the server.
    static let sharedSession = StorageFailure(
        .other,
        "PgBouncer, or a similar pooler, shares its connections between transactions; "
            + "set pool_mode = session for this database"
    )

    /// Whether the same transaction can succeed when it is repeated.
    var isTransient: Bool {
        switch self {
        case .disconnected, .lostRace: true
        // Serialization failure, deadlock, and lock timeout.
        case .rejected(let state, _): ["40001", "40P01", "55P03"].contains(state)
        case .failed, .unknownOutcome: false
        }
    }

    /// The failure that the store reports.
    var failure: StorageFailure {
        switch self {
        case .disconnected(let message): StorageFailure(.unreachable, message)
        case .failed(let failure): failure
        case .lostRace: StorageFailure(.locked, "other changes were always faster")
        case .unknownOutcome(let message):
            StorageFailure(.inDoubt, "the change may have been made: \(message)")
        case .rejected(let state, let message):
            switch state {
            case "40001", "40P01", "55P03":
                Self.locked
            case "53100": StorageFailure(.full, message)
            case "53300": StorageFailure(.overloaded, message)
            case "42501": StorageFailure(.readOnly, message)
            // A prepared statement exists that this session did not prepare, or the other way around.
            case "26000", "42P05": Self.sharedSession
            case "XX001", "XX002": StorageFailure(.corrupted, message)
            case "42P07":
                StorageFailure(.corrupted, "\(message), but not for novablend-backend")
            default: StorageFailure(.other, "\(message) (SQLSTATE \(state))")
            }
        }
    }
}
