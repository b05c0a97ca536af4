/**
 * A client for bots that play Kitumaija: it keeps the stream to the server, and leaves the choosing
 * to a {@link kitumaija.client.Bot}.
 */
package kitumaija.client;
