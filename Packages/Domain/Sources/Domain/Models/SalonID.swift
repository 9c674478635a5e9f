/// The identifier of a salon.
public typealias SalonID = Identifier
