/// The identity of a salon.
public typealias SalonID = Identifier
