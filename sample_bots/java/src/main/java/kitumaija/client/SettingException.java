package kitumaija.client;

/** A setting is missing or wrong; the message tells which, and what is wanted. */
final class SettingException extends Exception {
  private static final long serialVersionUID = 1;

  SettingException(String message) {
    super(message);
  }
}
